// owns: what lets work outlive a process: who holds it, for how long, and who takes it over. knows: base. must not know: what the work is.
export { acquireLease, type Lease, leaseHolder, withLease } from './lease.ts';
