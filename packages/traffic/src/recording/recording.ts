/** How to configure a server to record what is needed. */
export interface Recording {
  readonly server: 'nginx' | 'Apache' | 'Envoy';
  /** For the server's configuration. */
  readonly configuration: string;
  /** For `--log-format`; absent if the format is detected from the content. */
  readonly logFormat?: string;
  /** Fields that the server cannot record. */
  readonly missing: readonly string[];
}
