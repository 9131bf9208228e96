/// A dictionary by the bytes of its keys.
///
/// Swift takes `é` and `e` with a combining accent for one string. To the sender of two ids they are two, and a payment
/// must not be lost as the other's duplicate.
struct TableByText<Value> {
    private var values: [[UInt8]: Value] = [:]

    var count: Int { values.count }
    var isEmpty: Bool { values.isEmpty }
    var keys: [String] { values.keys.map { String(decoding: $0, as: UTF8.self) } }

    subscript(key: String) -> Value? {
        get { values[Array(key.utf8)] }
        set { values[Array(key.utf8)] = newValue }
    }
}
