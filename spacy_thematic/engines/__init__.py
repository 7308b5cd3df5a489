"""What runs the same function on many tasks: this process, several, or a Ray cluster."""

from spacy_thematic.engines.engine import Engine, WorkerLost, take_gpu
from spacy_thematic.engines.local import LocalEngine

__all__ = ["Engine", "LocalEngine", "WorkerLost", "make_engine"]


def make_engine(name: str, address: str = "local", processes: int = 0, gpu_id: int = -1) -> Engine:
    """Make the engine "local" or "ray".

    Args:
        address: Of a Ray cluster, see `RayEngine`.
        processes: Their number; 0 for the number of cores.
        gpu_id: The GPU that this process, the only one, uses from here on; -1 for none.

    Raises:
        ImportError: If Ray is asked for and not installed.
        ValueError: If an address is given that has no effect, or the GPU cannot be used.
    """
    if gpu_id >= 0 and (name == "ray" or processes > 1):
        raise ValueError("A GPU is used by one process: leave out --processes and --engine ray.")
    if name == "ray":
        from spacy_thematic.engines.ray_engine import RayEngine

        return RayEngine(address, processes)
    if address != "local":
        raise ValueError(f'The address "{address}" is that of a Ray cluster: add --engine ray.')
    if gpu_id < 0:
        return LocalEngine(processes)
    take_gpu(gpu_id)
    return LocalEngine(1)
