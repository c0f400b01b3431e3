"""What reads learned models for scenes: they stand in a room below, are named here and imported when used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

LEARNED_EXCLUSION = "exclusion.json"
"""The file that a folder of a learned exclusion has."""

LEARNED: Registry[Callable[..., Any]] = Registry(
    "learned model for scenes",
    {
        "exclusion": "recombine.models.exclusion.exclusion_model:read_named_exclusion",
        "verifier": "recombine.models.pictures.verifier.picture_verifier:open_verifier",
        "verifier_name": "recombine.models.pictures.verifier.verifier_folder:verifier_name",
    },
    lazy=True,
)
"""A learned exclusion is read from a folder, with its name; a verifier is opened for scenes and their pictures."""
