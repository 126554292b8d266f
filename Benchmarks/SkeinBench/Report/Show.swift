import Foundation

/// Prints a line so that it is seen at once, also in a file: a run may be stopped at any time.
func show(_ line: String) {
    print(line)
    fflush(nil)
}
