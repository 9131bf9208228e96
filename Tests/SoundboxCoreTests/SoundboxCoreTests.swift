import Testing
@testable import SoundboxCore
