import EventLog

// Rules 5 and 8: what readers and read models saw.
extension HistoryChecker {
    mutating func checkReading(_ reading: History.Reading) {
        for (index, seen) in reading.seen.enumerated() {
            let position = reading.start + Int64(index) + 1
            guard seen.position == position else {
                return report(5, "reader \(reading.reader) saw \(seen.position) where \(position) was due")
            }
            guard position <= Int64(log.count) else {
                return report(5, "reader \(reading.reader) saw \(position), which the log does not have")
            }
            let event = log[Int(position) - 1]
            if event.stream != seen.stream || event.version != seen.version {
                return report(5, "reader \(reading.reader) saw another event at \(position)")
            }
        }
    }

    mutating func checkCheckpoint(_ sighting: History.CheckpointSighting) {
        if sighting.position > sighting.head {
            report(8, "checkpoint of \(sighting.model) at \(sighting.position) is above the head \(sighting.head)")
        }
        if let applied = sighting.applied, applied > sighting.position {
            report(8, "\(sighting.model) shows \(applied), but its checkpoint says \(sighting.position)")
        }
    }
}
