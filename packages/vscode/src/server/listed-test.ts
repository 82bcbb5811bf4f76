/** A position of the protocol. */
interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

/** A range of the protocol. */
export interface ProtocolRange {
  readonly start: ProtocolPosition;
  readonly end: ProtocolPosition;
}

/** A policy test in the answer to `tollgate/tests`. */
export interface ListedTest {
  readonly name: string;
  readonly nameRange: ProtocolRange;
  /** Of the whole test. */
  readonly range: ProtocolRange;
}
