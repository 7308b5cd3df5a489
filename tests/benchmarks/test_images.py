import pytest
import torch

from benchmarks.triplet_bigan.images import ImageDiscriminator, ImageEncoder, ImageGenerator


@pytest.mark.parametrize("size", [8, 28, 32])
def test_image_nets_fit_together(size):
    encoder = ImageEncoder(3, size, 16, channels=2, stochastic=True)
    images = ImageGenerator(16, 3, size, channels=2)(torch.randn(5, 16))
    assert images.shape == (5, 3, size, size)
    assert images.abs().max() <= 1
    codes = encoder(images)
    assert codes.shape == (5, 16)
    assert ImageDiscriminator(3, size, 16, channels=2)(images, codes).shape == (5,)
    for net in (encoder.convolutions, ImageGenerator(16, 3, size, 2).convolutions[:-1]):
        assert len(net) == 6  # and the last: seven layers


def test_images_whose_sides_cannot_be_halved_twice_are_refused():
    with pytest.raises(ValueError, match="divisible by 4, not 30"):
        ImageEncoder(1, 30, 16)
