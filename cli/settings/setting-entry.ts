import { z } from 'zod';

/** A setting: its sources and its format. Precedence: flag, variables in order, sandbox, default. */
export interface SettingEntry {
  /** Commander's name of the option, e.g. `temporalAddress` for `--temporal-address`. */
  readonly option?: string;
  readonly env: readonly string[];
  readonly expected: string;
  readonly schema: z.ZodType<unknown, string>;
  readonly default?: string;
  /** For defaults that depend on the environment. */
  readonly defaultFrom?: (env: Readonly<Record<string, string | undefined>>) => string;
  readonly secret?: boolean;
}

export const text = z.string().min(1);
export const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().int().min(least).max(most));
export const kubernetesName = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
export const hostAndPort = z.string().regex(/^[^\s/:]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i);
export const domainName = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
export const bucketName = z.string().regex(/^[a-z0-9][-.a-z0-9]{1,61}[a-z0-9]$/);
export const webAddress = z.string().regex(/^https?:\/\/[^\s/]+\/?$/);
export const switchedOn = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => ['true', '1'].includes(value));

/** A deployment and its build are joined with a dot. */
export const deploymentName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/);
export const buildId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
