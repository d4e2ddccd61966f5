/**
 * How an archive is opened.
 *
 * @public
 */
export interface OpenArchiveOptions {
  /** Path of the module with the installation’s Temporal `DataConverter`: the histories of an archive are as Temporal had them. */
  readonly dataConverter?: string;
}
