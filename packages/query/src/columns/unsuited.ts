/** Why an engine cannot replay the traffic exactly as `replay` does; a noun phrase or clause for messages. Not a fault of the user. */
export class Unsuited extends Error {}

/** Headers do not fit in columns of their own; objects of headers can still be read whole. */
export class HeadersUnsuited extends Unsuited {}
