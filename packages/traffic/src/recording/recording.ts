/** How a server is told to record what is needed. */
export interface Recording {
  readonly server: 'nginx' | 'Apache' | 'Envoy';
  /** For the server's configuration. */
  readonly configuration: string;
  /** For `--log-format`; absent where the log is told by its content. */
  readonly logFormat?: string;
  /** Fields that the server cannot record. */
  readonly missing: readonly string[];
}
