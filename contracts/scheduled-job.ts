import { isFields } from '../language/fields.ts';

/** Search attributes that Temporal itself sets on workflows that a schedule starts. */
export const SCHEDULED_BY = 'TemporalScheduledById';
export const SCHEDULED_AT = 'TemporalScheduledStartTime';

/**
 * Returns the manifest of a job that a schedule starts, with the time of this start in its name: several may live at
 * once, and each has a history of its own. The name begins with `generateName`, or else with `name`.
 *
 * @example
 * scheduledManifest(manifest, new Date('2026-11-22T04:36:02Z')); // nightly becomes nightly-20261122-043602
 */
export function scheduledManifest(manifest: unknown, at: Date): unknown {
  if (!isFields(manifest) || !isFields(manifest.metadata)) return manifest;
  const { generateName, ...metadata } = manifest.metadata;
  const base = typeof generateName === 'string' ? generateName.replace(/-$/, '') : metadata.name;
  if (typeof base !== 'string' || Number.isNaN(at.getTime())) return manifest;
  return { ...manifest, metadata: { ...metadata, name: `${base}-${stampOf(at)}` } };
}

/** E.g. `20261122-043602`, in UTC. Workflow ids of schedules end with the same time. */
const stampOf = (at: Date) => at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
