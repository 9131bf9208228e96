import Testing

@testable import SoundboxCore

/// How the grammars of the product read amounts and numbers. The proof over all amounts is `Tests/Readings/prove.py`.
@Suite struct ReadingTests {
    @Test(arguments: [
        ("100.65", "一百点六五元"), ("100.60", "一百点六元"), ("100.05", "一百点零五元"), ("0.05", "零点零五元"), ("100.00", "一百元"),
        ("10.00", "十元"), ("110.00", "一百一十元"), ("10010.00", "一万零一十元"), ("10100.00", "一万零一百元"), ("1001000.00", "一百万一千元"),
        ("901749037.00", "九亿零一百七十四万九千零三十七元"), ("0.00", "零元"), ("2.00", "两元"), ("200.00", "两百元"), ("2000.00", "两千元"),
        ("20000.00", "两万元"), ("12.00", "十二元"), ("20.00", "二十元"), ("2.50", "二点五元"), ("1002.00", "一千零二元"),
        ("1020000.00", "一百零二万元"), ("200000000.00", "两亿元"), ("100100000", "一亿零一十万元"), ("100120000.12", "一亿零一十二万点一二元"),
        ("1010000000", "十亿一千万元"), ("100000002", "一亿零二元"), ("22222.22", "两万两千两百二十二点二二元"), ("1091", "一千零九十一元"),
        ("100020000", "一亿零两万元"), ("15", "十五元"), ("2.05", "二点零五元"), ("10.05", "十点零五元"),
        ("999999999999.99", "九千九百九十九亿九千九百九十九万九千九百九十九点九九元"),
    ]) func mandarinDecimal(_ amount: String, _ reading: String) throws {
        let planner = Planner(pack: try TestPack.mandarin())
        #expect(try planner.plan(.amount(Amount(parsing: amount, currency: .cny))).text == reading)
    }

    @Test(arguments: [
        ("100.65", "一百元六角五分"), ("100.05", "一百元零五分"), ("100.60", "一百元六角"), ("0.50", "五角"), ("0.05", "五分"),
        ("0.20", "两角"),
        ("0.02", "两分"), ("0.22", "两角二分"), ("2.20", "两元二角"), ("2.02", "两元零二分"), ("0.00", "零元"), ("100.00", "一百元"),
        ("10.12", "十元一角二分"), ("20000.02", "两万元零二分"),
    ]) func mandarinJiaofen(_ amount: String, _ reading: String) throws {
        let planner = Planner(pack: try TestPack.mandarin())
        #expect(try planner.plan(.amount(Amount(parsing: amount, currency: .cny)), style: "jiaofen").text == reading)
    }

    @Test(arguments: ["decimal", "jiaofen"]) func mandarinEndsAtItsLimit(_ style: String) throws {
        let planner = Planner(pack: try TestPack.mandarin())
        let error = thrown(PlanError.self) {
            _ = try planner.plan(.amount(Amount(parsing: "1000000000000.00", currency: .cny)), style: style)
        }
        #expect(error?.reason == "clip-missing")
    }

    @Test(arguments: [
        ("CNY", "105.65", "one hundred five yuan and sixty-five fen"), ("CNY", "0.00", "zero yuan"),
        ("CNY", "0.65", "sixty-five fen"), ("CNY", "1", "one yuan"), ("CNY", "0.01", "one fen"),
        ("USD", "1.01", "one dollar and one cent"), ("USD", "2.20", "two dollars and twenty cents"),
        ("EUR", "1", "one euro"), ("EUR", "21.02", "twenty-one euros and two cents"), ("GBP", "0.01", "one penny"),
        ("GBP", "1.02", "one pound and two pence"), ("INR", "0.01", "one paisa"),
        ("INR", "1.02", "one rupee and two paise"), ("HKD", "1.50", "one Hong Kong dollar and fifty cents"),
        ("HKD", "101", "one hundred one Hong Kong dollars"), ("JPY", "1", "one yen"), ("JPY", "0", "zero yen"),
        ("JPY", "12345", "twelve thousand three hundred forty-five yen"), ("KWD", "0.001", "one fils"),
        ("KWD", "1.250", "one dinar and two hundred fifty fils"), ("KWD", "2", "two dinars"),
        ("KWD", "0", "zero dinars"),
    ]) func english(_ code: String, _ amount: String, _ reading: String) throws {
        let planner = Planner(pack: try TestPack.english())
        let currency = try #require(Currency(code: code))
        #expect(try planner.plan(.amount(Amount(parsing: amount, currency: currency))).text == reading)
    }

    @Test(arguments: [
        (0, "零点整", "twelve o'clock AM"), (5, "零点零五分", "twelve oh five AM"), (611, "十点十一分", "ten eleven AM"),
        (605, "十点零五分", "ten oh five AM"), (600, "十点整", "ten o'clock AM"), (120, "两点整", "two o'clock AM"),
        (142, "两点二十二分", "two twenty-two AM"), (720, "十二点整", "twelve o'clock PM"),
        (759, "十二点三十九分", "twelve thirty-nine PM"),
        (780, "十三点整", "one o'clock PM"), (1325, "二十二点零五分", "ten oh five PM"),
        (1439, "二十三点五十九分", "eleven fifty-nine PM"),
    ]) func time(_ minutes: Int, _ mandarin: String, _ english: String) throws {
        let chinese = Planner(pack: try TestPack.mandarin(phrases: ["late": "{time}"]))
        #expect(try chinese.plan(.phrase("late", .init(time: minutes))).text == mandarin)
        #expect(try Planner(pack: TestPack.english()).plan(.phrase("late", .init(time: minutes))).text == english)
    }

    @Test(arguments: [
        (0, "零", "zero payments"), (1, "一", "one payment"), (2, "两", "two payments"), (12, "十二", "twelve payments"),
        (22, "二十二", "twenty-two payments"), (200, "两百", "two hundred payments"),
    ]) func count(_ count: Int, _ mandarin: String, _ english: String) throws {
        let chinese = Planner(pack: try TestPack.mandarin(phrases: ["total.today": "{count}"]))
        #expect(try chinese.plan(.phrase("total.today", .init(count: count))).text == mandarin)
        #expect(
            try Planner(pack: TestPack.english()).plan(.phrase("total.today", .init(count: count))).text == english)
    }

    @Test func digitsKeepTheirZeros() throws {
        let chinese = Planner(pack: try TestPack.mandarin(phrases: ["prompt.provisioning": "码，{digits}"]))
        let english = Planner(pack: try TestPack.english())
        let values = Utterance.Values(digits: "0127")
        #expect(try chinese.plan(.phrase("prompt.provisioning", values)).text == "码，零 一 二 七")
        #expect(try english.plan(.phrase("prompt.provisioning", values)).text == "zero one two seven")
    }

    @Test func volumeIsACardinal() throws {
        let planner = Planner(pack: try TestPack.mandarin(phrases: ["prompt.volume": "音量{volume}"]))
        #expect(try planner.plan(.phrase("prompt.volume", .init(volume: 2))).text == "音量二")
        #expect(try planner.plan(.phrase("prompt.volume", .init(volume: 100))).text == "音量一百")
    }
}
