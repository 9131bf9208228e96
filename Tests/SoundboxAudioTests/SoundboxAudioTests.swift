import Testing
@testable import SoundboxAudio
