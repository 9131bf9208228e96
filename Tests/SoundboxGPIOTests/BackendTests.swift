import Foundation
import Glibc
import TestSupport
import Testing

@testable import SoundboxGPIO

/// What can be tried without a chip: lights that are files, and everything that is not there. Chips and keys are tried on
/// the real thing in the virtual machine of Tests/Machine.
struct BackendTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func light(maximum: String) throws -> (path: String, brightness: () throws -> String) {
        let path = "\(folder.path)/green"
        try folder.write("green/max_brightness", maximum)
        let file = try folder.write("green/brightness", "")
        return (
            path,
            {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                return String(text.prefix { $0 != "\n" })
            }
        )
    }

    @Test(
        "A light of the kernel's is dark when it is opened, and follows the percentage in its own steps",
        arguments: [
            ("255\n", [(100, "255"), (50, "127"), (1, "2"), (0, "0"), (-1, "0"), (200, "255")]),
            ("1\n", [(100, "1"), (1, "1"), (0, "0")]),
            ("nonsense", [(100, "1"), (0, "0")]),
        ])
    func brightness(_ maximum: String, _ steps: [(Int, String)]) throws {
        let (path, brightness) = try light(maximum: maximum)
        let light = try LightSetting.led(path).open(chip: "", name: "test")
        #expect(try brightness() == "0")
        for (percent, value) in steps {
            try light.set(percent: percent)
            #expect(try brightness() == value)
        }
    }

    @Test("A light is taken away from the trigger that it has")
    func trigger() throws {
        let (path, _) = try light(maximum: "1\n")
        let trigger = try folder.write("green/trigger", "")
        _ = try LightSetting.led(path).open(chip: "", name: "test")
        #expect(try String(contentsOfFile: trigger, encoding: .utf8) == "none")
    }

    @Test("What is not there is said by its name, with the errno and what to do")
    func missing() {
        let cases: [(() throws(PanelError) -> Any, String)] = [
            (
                { () throws(PanelError) in try LightSetting.led("/nowhere/green").open(chip: "", name: "a") },
                "/nowhere/green: open: No such file or directory"
            ),
            (
                { () throws(PanelError) in
                    try ButtonSetting.key(device: "/nowhere/event0", code: 28).open(chip: "", name: "a")
                }, "/nowhere/event0: open: No such file or directory"
            ),
            (
                { () throws(PanelError) in
                    try LightSetting.gpio(GPIOSetting(line: "GPIO17")).open(chip: "/nowhere/gpiochip0", name: "a")
                }, "GPIO17 on /nowhere/gpiochip0: open: No such file or directory"
            ),
            (
                { () throws(PanelError) in
                    try ButtonSetting.gpio(GPIOSetting(line: "4")).open(chip: "no-such-chip", name: "a")
                }, "4 on no-such-chip: find the chip: No such file or directory"
            ),
        ]
        for (open, text) in cases {
            do throws(PanelError) {
                _ = try open()
                Issue.record("\(text) was opened")
            } catch {
                #expect(error.description == text)
                #expect(error.remedy != nil)
            }
        }
    }

    @Test("A file that is no input device is not taken for one")
    func noDevice() throws {
        let file = try folder.write("event0", "")
        #expect(throws: PanelError(file, .open, code: ENOTTY)) {
            _ = try ButtonSetting.key(device: file, code: 28).open(chip: "", name: "a")
        }
    }

    @Test("Who holds a line is named")
    func holder() {
        let error = PanelError("GPIO17 on gpiochip0", .request, code: EBUSY, holder: "spi0 CS0")
        #expect(error.description == "GPIO17 on gpiochip0: request: Device or resource busy, held by \"spi0 CS0\"")
        #expect(error.remedy?.contains("overlay") == true)
    }
}
