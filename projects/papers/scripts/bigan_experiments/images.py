"""Encoder, generator and discriminator of images: convolutional, as in the papers.

The layers and their order are those of Zamorski & Zieba (2019, section 4), who take the widths and
kernels from Dumoulin et al. (2017): here those of CIFAR-10. FINDINGS.md names what differs.
"""

import torch
from torch import Tensor, nn

from bigan_encoder import Reparametrized

LEAK = 0.1
DROPOUT = 0.2
WIDTHS = (1, 2, 4, 8, 16)
"""Of the first five layers of E, and of D_x, as multiples of the first."""
KERNELS = {
    32: ((5, 1), (4, 2), (4, 1), (4, 2), (4, 1)),
    8: ((2, 1), (3, 2), (2, 1), (2, 2), (1, 1)),
}
"""By the side of the images, the side and the stride of five kernels that take it to one pixel."""


class ImageEncoder(nn.Module):
    """E: images, (batch, image_channels, size, size), 8 or 32 on a side, to z, (batch, width). The
    first layer has so many channels, 32 in the papers."""

    def __init__(self, image_channels: int, size: int, width: int, channels: int = 32):
        super().__init__()
        widths = [image_channels, *(channels * n for n in WIDTHS)]
        self.convolutions = nn.Sequential(
            *(
                _normalized(nn.Conv2d(*pair, *kernel, bias=False))
                for *pair, kernel in zip(widths, widths[1:], find_kernels(size))
            ),
            _normalized(nn.Conv2d(widths[-1], widths[-1], 1, bias=False)),
        )
        self.last = Reparametrized(lambda n: nn.Conv2d(widths[-1], n, 1), width, True)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.convolutions(x))


class ImageGenerator(nn.Module):
    """G: z, (batch, width), to images, (batch, image_channels, size, size), between 0 and 1."""

    def __init__(self, width: int, image_channels: int, size: int, channels: int = 32):
        super().__init__()
        widths = [width, *(channels * n for n in (8, 4, 2, 1, 1))]
        self.convolutions = nn.Sequential(
            *(
                _normalized(nn.ConvTranspose2d(*pair, *kernel, bias=False))
                for *pair, kernel in zip(widths, widths[1:], reversed(find_kernels(size)))
            ),
            _normalized(nn.ConvTranspose2d(channels, channels, 1, bias=False)),
            nn.ConvTranspose2d(channels, image_channels, 1),
        )

    def forward(self, z: Tensor) -> Tensor:
        return self.convolutions(z[:, :, None, None]).sigmoid()


class ImageDiscriminator(nn.Module):
    """D: images as of `ImageEncoder` and their z, (batch, width), to logits, (batch,), high for
    real pairs. The first layer of D_x has so many channels."""

    def __init__(self, image_channels: int, size: int, width: int, channels: int = 32):
        super().__init__()
        widths = [image_channels, *(channels * n for n in WIDTHS)]
        last = widths[-1]
        self.d_x = nn.Sequential(
            *(
                _dropped(*pair, *kernel)
                for *pair, kernel in zip(widths, widths[1:], find_kernels(size))
            )
        )
        self.d_z = nn.Sequential(_dropped(width, last), _dropped(last, last))
        self.d_xz = nn.Sequential(
            _dropped(2 * last, 2 * last),
            _dropped(2 * last, 2 * last),
            nn.Dropout(DROPOUT),
            nn.Conv2d(2 * last, 1, 1),
        )

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        both = torch.cat([self.d_x(x), self.d_z(z[:, :, None, None])], dim=1)
        return self.d_xz(both).flatten()


def find_kernels(size: int) -> tuple[tuple[int, int], ...]:
    """The kernels of `KERNELS` for images of a size. Raises ValueError if there are none."""
    if size not in KERNELS:
        sides = " or ".join(map(str, sorted(KERNELS)))
        raise ValueError(f"Expected images whose sides are {sides}, found {size}: pad them.")
    return KERNELS[size]


def _normalized(layer: nn.Module) -> nn.Sequential:
    return nn.Sequential(layer, nn.BatchNorm2d(layer.out_channels), nn.LeakyReLU(LEAK))


def _dropped(inputs: int, outputs: int, kernel: int = 1, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(DROPOUT), nn.Conv2d(inputs, outputs, kernel, stride), nn.LeakyReLU(LEAK)
    )
