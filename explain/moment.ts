/** What a node has for further pods. `freed`: once pods that are being deleted are gone, and reservations are not made. */
export type Moment = 'now' | 'freed' | 'empty';
