/** How the long chaos is run; `npm run test:long` says them again when it fails. */

const numberFrom = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);

export const SEED = numberFrom('SIGNALBOX_CHAOS_SEED', 20_260_801);
export const SECONDS = numberFrom('SIGNALBOX_CHAOS_SECONDS', 600);
export const JOBS = numberFrom('SIGNALBOX_CHAOS_JOBS', 300);

export const AGAIN = `SIGNALBOX_CHAOS_SEED=${SEED} SIGNALBOX_CHAOS_SECONDS=${SECONDS} SIGNALBOX_CHAOS_JOBS=${JOBS} npm run test:long -- chaos`;
