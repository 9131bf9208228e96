"""A keyboard that a test makes by uinput: its keys are pressed, and its lamps are lights under /sys/class/leds."""

import fcntl
import glob
import os
import struct

from machine import until

EV_SYN, EV_KEY, EV_LED = 0, 1, 0x11
KEY_PLAYPAUSE, KEY_VOLUMEUP = 164, 115
LED_NUML, LED_CAPSL = 0, 1
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_LEDBIT, UI_SET_PHYS = 0x40045564, 0x40045565, 0x40045569, 0x4008556C
UI_DEV_SETUP, UI_DEV_CREATE, UI_DEV_DESTROY = 0x405C5503, 0x5501, 0x5502


class Keypad:
    """`device` is its file in /dev/input, `lights` the folder of its lamps by name."""

    def __init__(self, name="Keypad"):
        os.system("modprobe uinput; modprobe evdev")
        until("uinput", lambda: os.path.exists("/dev/uinput"))
        self.file = os.open("/dev/uinput", os.O_RDWR)
        for event in (EV_KEY, EV_LED):
            fcntl.ioctl(self.file, UI_SET_EVBIT, event)
        for key in (KEY_PLAYPAUSE, KEY_VOLUMEUP):
            fcntl.ioctl(self.file, UI_SET_KEYBIT, key)
        for lamp in (LED_NUML, LED_CAPSL):
            fcntl.ioctl(self.file, UI_SET_LEDBIT, lamp)
        # struct uinput_setup: bus, vendor, product, version, name, ff_effects_max
        fcntl.ioctl(self.file, UI_DEV_SETUP, struct.pack("HHHH80sI", 3, 1, 1, 1, name.encode(), 0))
        fcntl.ioctl(self.file, UI_DEV_CREATE)
        self.folder = until("the keypad", lambda: next(
            (path for path in glob.glob("/sys/class/input/input*") if open(f"{path}/name").read().strip() == name),
            None))
        self.device = "/dev/input/" + until("its events", lambda: next(
            (os.path.basename(path) for path in glob.glob(f"{self.folder}/event*")), None))
        number = os.path.basename(self.folder)
        until("its lamps", lambda: os.path.exists(f"/sys/class/leds/{number}::capslock"))
        self.lights = {lamp: f"/sys/class/leds/{number}::{lamp}" for lamp in ("capslock", "numlock")}
        os.system("udevadm settle")

    def set(self, key, is_down):
        os.write(self.file, struct.pack("llHHi", 0, 0, EV_KEY, key, 1 if is_down else 0))
        os.write(self.file, struct.pack("llHHi", 0, 0, EV_SYN, 0, 0))

    def light(self, lamp):
        with open(f"{self.lights[lamp]}/brightness") as file:
            return int(file.read())

    def remove(self):
        fcntl.ioctl(self.file, UI_DEV_DESTROY)
        os.close(self.file)
