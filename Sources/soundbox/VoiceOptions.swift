import SoundboxCore
import SoundboxPlatform
import SoundboxRuntime

// What the commands share that turn an amount into words: which configuration, which voice, what to say.

extension Option {
    static let config = Option("config", "FILE", "the configuration (default \(Configuration.defaultFile))")
    static let pack = Option("pack", "DIR", "a voice pack's folder instead of the configured one")
    static let style = Option("style", "STYLE", "an amount style of the pack instead of the configured one")
    static let channel = Option("channel", "CHANNEL", "say the channel's phrase around the amount: alipay, wechat, …")
    static let currency = Option("currency", "CODE", "ISO 4217 code of the amount's currency (default CNY)")

    /// What says an amount, and in which words.
    static let utterance: [Option] = [.channel, .currency, .style, .pack, .config]
}

extension Arguments {
    /// The configuration named by `--config`; or the box's own where it has one; or none.
    func configuration() throws(Failure) -> Configuration? {
        guard let file = self["config"] ?? (File.exists(Configuration.defaultFile) ? Configuration.defaultFile : nil)
        else { return nil }
        return try Subcommand.load(file) { Console.error("soundbox: \($0)") }
    }

    /// The voice named by `--pack`, or the configured one, or the default.
    func voice() throws(Failure) -> (voice: Voice, style: String?) {
        let configured = try self["pack"] == nil ? configuration()?.voice ?? Configuration.Voice() : nil
        do throws(VoiceError) {
            let voice = try Voice(folder: self["pack"] ?? configured?.folder ?? "")
            return (voice, self["style"] ?? configured?.style)
        } catch {
            throw Failure("voice pack", error)
        }
    }

    func currency() throws(Failure) -> Currency {
        guard let code = self["currency"] else { return .cny }
        guard let currency = Currency(code: code) else {
            throw .usage("--currency \(code): not a currency of ISO 4217")
        }
        return currency
    }

    /// The amount that is the command's operand.
    func amount() throws(Failure) -> Amount {
        let text = try operand("AMOUNT")
        let currency = try currency()
        do throws(AmountError) {
            return try Amount(parsing: text, currency: currency)
        } catch {
            throw .usage("\(text): not an amount of \(currency.code): \(error.rawValue)")
        }
    }

    /// The amount with its channel's phrase around it; the amount alone where no channel is named.
    func utterance() throws(Failure) -> Utterance {
        let amount = try amount()
        return self["channel"].map { .payment(channel: $0, amount: amount) } ?? .amount(amount)
    }
}
