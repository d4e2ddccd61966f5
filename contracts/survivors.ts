/** How long pods that have not failed may take to end when they restart with one that has. */
export interface SurvivorGrace {
  readonly seconds: number;
  /** Pods that have a grace period or a preStop hook of their own keep it. */
  readonly unlessAsked?: boolean;
}
