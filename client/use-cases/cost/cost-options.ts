/**
 * Which jobs, and on which days.
 *
 * @public
 */
export interface PeriodOptions {
  /** Only jobs of this namespace; default: of all. */
  readonly namespace?: string | undefined;
  /** From the day of this time on, in UTC. */
  readonly since?: Date | undefined;
  /** Before the day of this time, in UTC. */
  readonly until?: Date | undefined;
  /** What an hour of a device costs: the content of a file as docs/cost.md#prices describes it. */
  readonly prices?: unknown;
  /** Called with what could not be read, and is left out. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * How what many jobs cost is added up.
 *
 * @public
 */
export interface CostOptions extends PeriodOptions {
  /** `namespace`, `user`, `kind`, `job`, `day`, `use`, `cause`, `resource`, `product`, or labels of the jobs. */
  readonly by: readonly string[];
}
