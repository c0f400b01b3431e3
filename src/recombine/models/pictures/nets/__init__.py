"""The networks: detector, reader, grounding and question heads. All but the detector hold K replicas at once."""
