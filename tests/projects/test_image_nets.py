import pytest
import torch
from torch import nn

from bigan_experiments.fit import Schedule, encode
from bigan_experiments.images import KERNELS, ImageDiscriminator, ImageEncoder, ImageGenerator


def layers(module, kind):
    return [layer for layer in module.modules() if isinstance(layer, kind)]


def widths(module, kind=nn.Conv2d):
    return [layer.out_channels for layer in layers(module, kind)]


@pytest.mark.parametrize("size", KERNELS)
def test_image_nets_fit_together(size):
    encoder = ImageEncoder(3, size, 16, channels=2)
    images = ImageGenerator(16, 3, size, channels=2)(torch.randn(5, 16))
    assert images.shape == (5, 3, size, size)
    assert 0 < images.min() < images.max() < 1
    codes = encoder(images)
    assert codes.shape == (5, 16)
    assert ImageDiscriminator(3, size, 16, channels=2)(images, codes).shape == (5,)


def test_the_encoder_is_that_of_the_papers():
    """Seven convolutions, of them the last two, for mean and log scale, beside each other; batch
    normalisation and leaky rectifiers after all but the last."""
    encoder = ImageEncoder(3, 32, 64)
    assert widths(encoder) == [32, 64, 128, 256, 512, 512, 64, 64]
    strides = [layer.stride[0] for layer in layers(encoder, nn.Conv2d)]
    kernels = [layer.kernel_size[0] for layer in layers(encoder, nn.Conv2d)]
    assert kernels == [5, 4, 4, 4, 4, 1, 1, 1]
    assert strides == [1, 2, 1, 2, 1, 1, 1, 1]
    kinds = [[type(layer) for layer in block] for block in encoder.convolutions]
    assert kinds == [[nn.Conv2d, nn.BatchNorm2d, nn.LeakyReLU]] * 6


def test_the_generator_is_that_of_the_papers():
    generator = ImageGenerator(64, 3, 32)
    assert widths(generator, nn.ConvTranspose2d) == [256, 128, 64, 32, 32, 32, 3]
    kernels = [layer.kernel_size[0] for layer in layers(generator, nn.ConvTranspose2d)]
    assert kernels == [4, 4, 4, 4, 5, 1, 1]
    kinds = [[type(layer) for layer in block] for block in generator.convolutions[:-1]]
    assert kinds == [[nn.ConvTranspose2d, nn.BatchNorm2d, nn.LeakyReLU]] * 6


def test_the_discriminator_is_that_of_the_papers():
    discriminator = ImageDiscriminator(3, 32, 64)
    assert widths(discriminator.d_x) == [32, 64, 128, 256, 512]
    assert widths(discriminator.d_z) == [512, 512]
    assert widths(discriminator.d_xz) == [1024, 1024, 1]
    assert len(layers(discriminator, nn.LeakyReLU)) == 5 + 2 + 2
    assert not layers(discriminator, nn.BatchNorm2d)
    codes = discriminator.d_z(torch.randn(2, 64, 1, 1))
    assert discriminator.d_x(torch.rand(2, 3, 32, 32)).shape == codes.shape


def test_slopes_and_dropout_are_those_of_ali():
    """The slope of its nets of CIFAR-10, the dropout of its D of SVHN, and its Adam."""
    nets = ImageEncoder(3, 32, 64), ImageGenerator(64, 3, 32), ImageDiscriminator(3, 32, 64)
    slopes = [{layer.negative_slope for layer in layers(net, nn.LeakyReLU)} for net in nets]
    assert slopes == [{0.1}] * 3
    rates = [[layer.p for layer in layers(net, nn.Dropout)] for net in nets]
    assert rates == [[], [], [0.2] * 10]
    schedule = Schedule(1)
    assert (schedule.learn_rate, schedule.beta1, schedule.batch_size) == (1e-4, 0.5, 100)


def test_a_stochastic_encoder_draws_around_the_mean_it_gives_in_a_test():
    torch.manual_seed(0)
    encoder = ImageEncoder(1, 8, 4, channels=2)
    images = torch.randn(2, 1, 8, 8)
    means = torch.from_numpy(encode(encoder, images))
    features = encoder.convolutions(images)
    sigma = encoder.last.log_scale(features).flatten(1).exp().detach()
    encoder.last.train()  # The normalisation stays that of a test.
    drawn = torch.stack([encoder(images) for _ in range(2000)]).detach()
    assert torch.allclose(drawn.mean(dim=0), means, atol=0.2)
    assert torch.allclose(drawn.std(dim=0), sigma, rtol=0.1)


def test_images_of_other_sizes_are_refused():
    with pytest.raises(ValueError, match="whose sides are 8 or 32, found 28"):
        ImageEncoder(1, 28, 16)
