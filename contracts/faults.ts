import type { Fault } from './types.ts';

export const formatFault = ({ path, expected, got }: Fault) => `${path}: expected ${expected}, got ${got}`;
