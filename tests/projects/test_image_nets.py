import numpy as np
import pytest
import torch

from bigan_experiments.fit import encode
from bigan_experiments.images import ImageDiscriminator, ImageEncoder, ImageGenerator


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


def test_the_image_discriminator_has_as_many_layers_as_asked():
    for n_layers in (4, 5, 7):
        d_x = ImageDiscriminator(1, 28, 16, 2, image_layers=n_layers).d_x
        assert sum(isinstance(layer, torch.nn.Conv2d) for layer in d_x) == n_layers
        assert d_x(torch.randn(3, 1, 28, 28)).shape == (3, 8)
    with pytest.raises(ValueError, match="at least 4 layers, not 3"):
        ImageDiscriminator(1, 28, 16, 2, image_layers=3)


def test_a_stochastic_encoder_draws_around_the_mean_it_gives_in_a_test():
    torch.manual_seed(0)
    encoder = ImageEncoder(1, 8, 4, channels=2, stochastic=True)
    images = torch.randn(2, 1, 8, 8)
    drawn = torch.stack([encoder(images) for _ in range(2000)])
    means = encode(encoder, images)
    features = encoder.convolutions(images)
    sigma = encoder.last.log_scale(features).flatten(1).exp().detach()
    assert np.allclose(means, encode(encoder, images))
    assert np.allclose(drawn.mean(dim=0).detach(), means, atol=0.2)
    assert np.allclose(drawn.std(dim=0).detach(), sigma, rtol=0.1)


def test_images_whose_sides_cannot_be_halved_twice_are_refused():
    with pytest.raises(ValueError, match="divisible by 4, not 30"):
        ImageEncoder(1, 30, 16)
