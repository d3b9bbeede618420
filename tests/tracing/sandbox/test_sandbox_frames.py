"""The reader of frames believes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracing.sandbox import frames

FRAMES = st.lists(
    st.tuples(
        st.sampled_from([frames.VALUE, frames.EXCEPTION, frames.END]),
        st.text(st.characters(), max_size=20),
        st.binary(max_size=20),
    ),
    max_size=5,
)


def read(reader, data):
    return [(frame.kind, frame.text, frame.stdout) for frame in reader.feed(data)]


@given(FRAMES, st.integers(1, 7))
def test_frames_arrive_as_they_were_sent_however_they_are_cut(sent, size):
    reader = frames.Reader(stdout=100, total=10_000)
    data = b"".join(frames.pack(*frame) for frame in sent)
    got = [frame for i in range(0, len(data), size) for frame in read(reader, data[i : i + size])]
    assert got == [(kind, text, out.decode("utf-8", "replace")) for kind, text, out in sent]
    assert reader.is_empty


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_an_error(data):
    reader = frames.Reader(stdout=100, total=100)
    try:
        read(reader, data)
    except frames.FrameError:
        return
    assert len(data) <= 100


@pytest.mark.parametrize(
    "data",
    [
        b"Z" + bytes(8),
        frames.pack(frames.VALUE, "x" * (frames.MAX_TEXT + 1)),
        frames.pack(frames.VALUE, "1", b"x" * 101),
        frames.pack(frames.VALUE)[:1] + b"\xff" * 8,
        frames.pack(frames.VALUE, "1").replace(b"1", b"\xff"),
    ],
    ids=["kind", "text", "stdout", "length", "utf-8"],
)
def test_what_is_no_frame_is_an_error(data):
    with pytest.raises(frames.FrameError):
        read(frames.Reader(stdout=100, total=1 << 20), data)


def test_a_flood_ends_at_the_total():
    reader = frames.Reader(stdout=100, total=1000)
    one = frames.pack(frames.VALUE, "1")
    for _ in range(1000 // len(one)):
        read(reader, one)
    with pytest.raises(frames.FrameError, match="more than"):
        read(reader, one)
