// owns: what lets work outlive a process, and shares it out: who holds it, who takes it over, whose turn it is. knows: base. must not know: what the work is.
export { type Breaker, createBreaker } from './breaker.ts';
export { createFairQueue, type FairQueue } from './fair-queue.ts';
export { acquireLease, type Lease, leaseHolder, withLease } from './lease.ts';
export { isAliveHere, isGone, newOwner } from './owner.ts';
export { createPresence, leaseNow, type Presence } from './presence.ts';
