import Testing
@testable import SoundboxRuntime
