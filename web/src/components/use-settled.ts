import { useEffect, useState } from 'react';

/** A value once it has stood still, so that typing does not ask for every letter. */
export function useSettled<Value>(value: Value, ms = 180): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
