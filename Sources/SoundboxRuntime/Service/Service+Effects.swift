import SoundboxAudio
import SoundboxCore
import SoundboxJournal
import SoundboxMQTT
import SoundboxPlatform

// What the speaker decided is done here, and what the other threads report becomes its events.

extension Service {
    func perform(_ effects: [Effect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .play(let announcement, let volume):
            play(announcement, volume: volume)
        case .stop: engine.stop()
        case .answer: panel.answer(at: SystemClock.monotonic)
        case .setVolume(let volume): setVolume(volume)
        case .record(let record): journal.record(record)
        case .recordCommand(let record): journal.record(record)
        case .keep(let kept): keep(kept)
        case .commit(let ticket): commit(ticket)
        case .acknowledge(let batch): mqtt.release(batch: batch)
        case .publish(let publication) where publication.isKept:
            journal.record(receipt: publication.payload, topic: publication.topic)
        case .publish(let publication): publish(publication)
        case .telemetry(let members):
            let payload = JSON.object(members + MachineFigures.members)
            publish(Publication(topic: configuration.topics.telemetry, payload: payload.text, qos: 0))
        case .reload(let command): reload(command: command)
        case .setLogLevel(let level): log.setLevel(level)
        case .log(let level, let text, let notice): log.write(level, text, notice: notice)
        }
    }

    private func publish(_ publication: Publication) {
        do {
            _ = try mqtt.publish(MQTTPublication(publication))
        } catch {
            // Of what is not worth a delivery guarantee the loss is not worth a line.
            log.write(publication.qos == 0 ? .debug : .warning, "\(publication.topic): \(error)")
        }
    }

    private func play(_ announcement: Announcement, volume: Int) {
        do throws(AudioEngine.Refusal) {
            try engine.play(
                id: announcement.id, plan: announcement.plan, bank: clips, volume: softwareVolume(for: volume))
        } catch {
            handle(.unplayable(announcement.id, "\(error)"))
        }
    }

    // MARK: - The other threads

    func open(_ letter: Letter) {
        switch letter {
        case .mqtt(let event): take(event)
        case .journal(let event): take(event)
        case .reloaded(let result, let command): install(result, command: command)
        }
    }

    private func take(_ event: MQTTEvent) {
        switch event {
        case .connected: handle(.connected)
        case .refused(_, let text): handle(.refused(text))
        case .disconnected(let error): handle(.disconnected("\(error)"))
        case .subscribed: handle(.subscribed)
        case .subscriptionRefused(let topic): handle(.refused("subscription to \(topic)"))
        case .message(let message): take(message)
        case .batch(let batch): handle(.batch(batch))
        case .published(let ticket): delivered(ticket)
        }
    }

    private func take(_ message: MQTTMessage) {
        switch configuration.topics.route(message.topic) {
        case .notice where message.isTruncated: handle(.oversizedNotice(message.size))
        case .notice:
            handle(.notice(payload: message.payload, retained: message.retained, receivedAt: message.receivedAt))
        case .command: handle(.command(payload: message.payload, retained: message.retained))
        case nil: log.write(.debug, "message on \(message.topic), which is not ours")
        }
    }

    func take(_ event: AudioEvent) {
        switch event {
        case .began(let id, let nanoseconds): handle(.began(id, at: nanoseconds))
        case .ended(let id): handle(.ended(id))
        case .stopped(let id): handle(.stopped(id))
        case .underrun(_, let count, _): handle(.underruns(count))
        case .lost(let error): handle(.cardLost("\(error)"))
        case .opened(let format): opened(format)
        }
    }

    /// A card may come back with another rate than it went with; the clips then have to follow it.
    private func opened(_ format: PCMFormat) {
        if format.rate != clips.rate { clips = clips.at(rate: format.rate) }
        cardVolume = nil
        handle(.cardOpened("\(configuration.audio.device), \(format)"))
    }
}
