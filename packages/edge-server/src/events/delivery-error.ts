/** An event did not reach its destination. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** Whether trying again is of any use. */
  readonly isFinal: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
  }
}
