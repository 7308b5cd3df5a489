"""Encoder, generator and discriminator of images: convolutional, as in the paper.

E and G have seven layers each; D consists of D_x, D_z and D_xz (Zamorski & Zieba 2019; the shapes
follow Dumoulin et al. 2017). Two layers halve the size of the image, so its sides must be divisible
by 4.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from spacy_thematic.models.torch.bigan_encoder import Reparametrized
from triplet_bigan import add_spectral_norm


class ImageEncoder(nn.Module):
    """E: images, (batch, image_channels, size, size), to z, (batch, width).

    It normalises over the channels of one image, since batch normalisation makes labelled and
    unlabelled batches differ.

    Args:
        image_channels: 1 or 3.
        size: Side of the images.
        width: Width of z.
        channels: Of the first layer; later layers have more.
        stochastic: See `Reparametrized`.
    """

    def __init__(
        self,
        image_channels: int,
        size: int,
        width: int,
        channels: int = 64,
        stochastic: bool = False,
    ):
        super().__init__()
        c = channels
        self.convolutions = nn.Sequential(
            _down(image_channels, c, 4, 2, 1),
            _down(c, c, 3, 1, 1),
            _down(c, 2 * c, 4, 2, 1),
            _down(2 * c, 2 * c, 3, 1, 1),
            _down(2 * c, 4 * c, _quarter(size), 1, 0),
            _down(4 * c, 4 * c, 1, 1, 0),
        )
        self.last = Reparametrized(lambda n: nn.Conv2d(4 * c, n, 1), width, stochastic)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.convolutions(x))


class ImageGenerator(nn.Module):
    """G: z, (batch, width), to images, (batch, image_channels, size, size), between -1 and 1."""

    def __init__(self, width: int, image_channels: int, size: int, channels: int = 64):
        super().__init__()
        c = channels
        self.convolutions = nn.Sequential(
            _up(width, 4 * c, 1, 1, 0),
            _up(4 * c, 2 * c, _quarter(size), 1, 0),
            _up(2 * c, 2 * c, 3, 1, 1),
            _up(2 * c, c, 4, 2, 1),
            _up(c, c, 3, 1, 1),
            _up(c, c, 4, 2, 1),
            nn.Conv2d(c, image_channels, 1),
        )

    def forward(self, z: Tensor) -> Tensor:
        return self.convolutions(z[:, :, None, None]).tanh()


class ImageDiscriminator(nn.Module):
    """D: images and their z, (batch, width), to logits, (batch,), high for real pairs.

    Args:
        image_channels: 1 or 3.
        size: Side of the images.
        width: Width of z.
        channels: Of the first layer; later layers have more.
        spectral_normalization: Whether each layer has it (Miyato et al. 2018).
        image_layers: Of D_x, at least 4; the paper has 5.
    """

    def __init__(
        self,
        image_channels: int,
        size: int,
        width: int,
        channels: int = 64,
        spectral_normalization: bool = True,
        image_layers: int = 4,
    ):
        super().__init__()
        if image_layers < 4:
            raise ValueError(f"D_x needs at least 4 layers, not {image_layers}.")
        c = channels
        leak = nn.LeakyReLU(0.2)
        self.d_x = nn.Sequential(
            *(nn.Conv2d(image_channels, c, 4, 2, 1), leak),
            *(nn.Conv2d(c, c, 3, 1, 1), leak),
            *(nn.Conv2d(c, 2 * c, 4, 2, 1), leak),
            *(same for _ in range(image_layers - 4) for same in (_keep(2 * c), leak)),
            *(nn.Conv2d(2 * c, 4 * c, _quarter(size)), leak),
            nn.Flatten(),
        )
        self.d_z = nn.Sequential(nn.Linear(width, 4 * c), leak, nn.Linear(4 * c, 4 * c), leak)
        self.d_xz = nn.Sequential(
            *(nn.Linear(8 * c, 8 * c), leak),
            *(nn.Linear(8 * c, 8 * c), leak),
            nn.Linear(8 * c, 1),
        )
        if spectral_normalization:
            add_spectral_norm(self)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        return self.d_xz(torch.cat([self.d_x(x), self.d_z(z)], dim=1)).squeeze(1)


def _quarter(size: int) -> int:
    if size < 4 or size % 4:
        raise ValueError(f"The sides of images must be divisible by 4, not {size}: pad them.")
    return size // 4


def _keep(channels: int) -> nn.Conv2d:
    return nn.Conv2d(channels, channels, 3, 1, 1)


def _down(inputs: int, outputs: int, kernel: int, stride: int, padding: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding),
        nn.GroupNorm(1, outputs),
        nn.LeakyReLU(0.2),
    )


def _up(inputs: int, outputs: int, kernel: int, stride: int, padding: int) -> nn.Sequential:
    return nn.Sequential(
        nn.ConvTranspose2d(inputs, outputs, kernel, stride, padding),
        nn.BatchNorm2d(outputs),
        nn.LeakyReLU(0.2),
    )
