import CGlibc
import Glibc

/// Runs `body` on a thread of its own: libavformat blocks, and a pool's threads are not for that.
///
/// - Parameters:
///   - name: As debuggers and `top -H` show it; the first 15 bytes count.
///   - body: Ends the thread by returning.
/// - Returns: True if there is such a thread; without one `body` never runs.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Job {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let job = unsafe Unmanaged.passRetained(Job(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
        &thread,
        nil,
        { argument in
            guard let argument = unsafe argument else { return nil }
            unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        },
        job.toOpaque()
    )
    guard result == 0 else {
        unsafe job.release()
        return false
    }
    unsafe pthread_setname_np(thread, String(decoding: name.utf8.prefix(15), as: UTF8.self))
    pthread_detach(thread)
    return true
}
