import MediaCore

extension InputHealth {
    /// A sum over the newest so many buckets of time; memory is taken once.
    struct SlidingSum: Sendable {
        let bucket: MediaTime
        private var sums: [Int]
        /// The number of the newest bucket, counted from 1970.
        private(set) var newest: Int64 = 0

        init(bucket: MediaTime, count: Int) {
            self.bucket = bucket
            sums = Array(repeating: 0, count: count)
        }

        var window: MediaTime { bucket * Int64(sums.count) }

        func number(at time: MediaTime) -> Int64 {
            let (quotient, remainder) = time.ticks.quotientAndRemainder(dividingBy: bucket.ticks)
            return remainder < 0 ? quotient - 1 : quotient
        }

        mutating func add(_ amount: Int, at time: MediaTime) {
            let number = number(at: time)
            let distance = number - newest
            if distance >= Int64(sums.count) || distance <= -Int64(sums.count) {
                // A long silence, or a clock that was set back: nothing of the ring is left.
                for index in sums.indices { sums[index] = 0 }
                newest = number
            } else if distance > 0 {
                for next in newest + 1...number { sums[position(next)] = 0 }
                newest = number
            }
            sums[position(newest)] &+= amount
        }

        /// The sum of the window that ends with the bucket of a time, itself included.
        func sum(at time: MediaTime) -> Int {
            let oldest = max(newest, number(at: time)) - Int64(sums.count) + 1
            guard oldest <= newest else { return 0 }
            var sum = 0
            for number in oldest...newest { sum &+= sums[position(number)] }
            return sum
        }

        private func position(_ number: Int64) -> Int {
            let remainder = Int(number % Int64(sums.count))
            return remainder < 0 ? remainder + sums.count : remainder
        }
    }

    /// Errors of the last minute, and of all time.
    struct ErrorCounter: Sendable {
        private var recent = SlidingSum(bucket: MediaTime(seconds: 1), count: 60)
        private var total = 0

        mutating func add(at time: MediaTime) {
            recent.add(1, at: time)
            total += 1
        }

        func count(at time: MediaTime) -> ErrorCount {
            ErrorCount(lastMinute: recent.sum(at: time), total: total)
        }
    }
}
