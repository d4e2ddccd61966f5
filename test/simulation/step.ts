/** Something that can happen next. */
export interface Step {
  readonly does: string;
  run(): void | Promise<void>;
}
