/// The two ends of a range along the meridian.
package enum RangeEnd: String, Vocabulary {
    case south
    case north

    /// 1 where the range's outer side has greater latitudes, else -1.
    var outward: Double { self == .north ? 1 : -1 }
}

/// A figure for the latitude at which a range ends.
package enum MarginMetric: String, Vocabulary {
    case meanOf10Cells
    case gamma95
    /// The latitude outside which 5 % of the occupied cells lie: the 5th percentile at the southern end, the 95th at
    /// the northern one.
    case q05
    case extreme
}
