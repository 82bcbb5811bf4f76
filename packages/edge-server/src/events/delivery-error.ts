/** A failed delivery of an event. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** Whether retrying is pointless. */
  readonly isFinal: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
  }
}
