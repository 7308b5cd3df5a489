"""The nets, as Thinc models over sentences of Docs."""
