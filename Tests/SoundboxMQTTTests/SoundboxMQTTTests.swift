import Testing
@testable import SoundboxMQTT
