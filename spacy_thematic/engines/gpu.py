"""The GPU of a process."""

from thinc.api import require_gpu


def take_gpu(gpu_id: int) -> None:
    """Let all that this process computes from here on be computed on a GPU, by Thinc and torch.

    Args:
        gpu_id: Its number, of those that this process can see.

    Raises:
        ValueError: If it cannot be used.
    """
    try:
        require_gpu(gpu_id)
    except Exception as error:
        raise ValueError(
            f"GPU {gpu_id} cannot be used ({error}): install a torch for CUDA, and CuPy by pip "
            'install "spacy[cuda12x]", or leave out --gpu-id to use the CPU.'
        ) from error
