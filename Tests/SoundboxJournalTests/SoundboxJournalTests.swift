import Testing
@testable import SoundboxJournal
