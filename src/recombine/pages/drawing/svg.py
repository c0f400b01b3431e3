"""SVG elements as text, with everything that comes from data escaped."""

from __future__ import annotations

from markupsafe import Markup, escape

# Classes that pictures use, in fixed colours: for files outside a page, whose style sheet sets its own.
STANDALONE_STYLE = """
text { font: 11px ui-sans-serif, system-ui, "Helvetica Neue", Arial, sans-serif; fill: #1d2430; }
.faint { fill: #5a6472; }
.grid { stroke: #d9dee5; fill: none; }
.axis { stroke: #8a94a3; fill: none; }
.train-fill { fill: #1f5fa8; }
.test-fill { fill: #ab4d08; }
.train-line { stroke: #1f5fa8; fill: none; stroke-width: 1.75; }
.test-band { stroke: #ab4d08; fill: none; stroke-opacity: 0.28; }
.test-area { fill: #ab4d08; fill-opacity: 0.35; }
.link { stroke: #8a94a3; fill: none; stroke-width: 1.25; }
.node rect { fill: #eaf2fb; stroke: #1f5fa8; }
.node text, .slot { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.node text { font-size: 12px; text-anchor: middle; }
.node.new rect { fill: #fdf1e6; stroke: #ab4d08; stroke-dasharray: 4 3; }
.link.new { stroke: #ab4d08; stroke-dasharray: 4 3; }
.slot { font-size: 10px; fill: #5a6472; stroke: #ffffff; stroke-width: 3; paint-order: stroke; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
"""

Attribute = str | float


def number(value: float) -> str:
    """A coordinate with at most one decimal.

    >>> number(12.04), number(0.25), number(3)
    ('12', '0.2', '3')
    """
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def element(tag: str, *children: str, **attributes: Attribute) -> Markup:
    """An element; `class_` is `class`, `stroke_width` is `stroke-width`. Text that is not markup is escaped.

    >>> print(element("text", "a < b", x=1, class_="end"))
    <text x="1" class="end">a &lt; b</text>
    """
    written = "".join(
        f' {name.removesuffix("_").replace("_", "-")}="{escape(value if isinstance(value, str) else number(value))}"'
        for name, value in attributes.items()
    )
    inner = "".join(str(escape(child)) for child in children)
    # All parts are escaped above.
    return Markup(f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>")  # noqa: S704


def picture(
    name: str, title: str, description: str, width: float, height: float, *children: str, class_: str = "picture"
) -> Markup:
    """A picture with a name and a description for those who do not see it; `name` is unique in the page."""
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-desc"),
        *children,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        class_=class_,
        aria_labelledby=f"{name}-title {name}-desc",
    )


def standalone(drawn: Markup) -> bytes:
    """A picture as a file of its own: on white, with its own style."""
    head, _, body = str(drawn).partition(">")
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return f"{head}><style>{STANDALONE_STYLE}</style>{paper}{body}\n".encode()
