"""What runs the same function on many tasks: this process, several, or a Ray cluster."""

from spacy_thematic.engines.engine import Engine, WorkerLost
from spacy_thematic.engines.local import LocalEngine

__all__ = ["Engine", "LocalEngine", "WorkerLost", "make_engine"]


def make_engine(name: str, address: str = "local", processes: int = 0) -> Engine:
    """Make an engine.

    Args:
        name: "local" or "ray".
        address: Of a Ray cluster, see `RayEngine`.
        processes: Their number; 0 for the number of cores.

    Raises:
        ImportError: If Ray is asked for and not installed.
        ValueError: If an address is given that has no effect.
    """
    if name == "ray":
        from spacy_thematic.engines.ray_engine import RayEngine

        return RayEngine(address, processes)
    if address != "local":
        raise ValueError(f'The address "{address}" is that of a Ray cluster: add --engine ray.')
    return LocalEngine(processes)
