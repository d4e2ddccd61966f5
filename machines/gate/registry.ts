import type { GateName } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import type { Gate } from './gate.ts';
import { groupGate } from './group-gate.ts';
import { laneGate } from './lane-gate.ts';

const GATES: Readonly<Record<GateName, Gate>> = { group: groupGate, lane: laneGate };

/** Returns undefined for a job whose pods may be created at once. */
export const gateOf = ({ gate }: JobContext): Gate | undefined => gate && GATES[gate];
