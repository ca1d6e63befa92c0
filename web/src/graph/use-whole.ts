import { useEffect, useState } from 'react';
import type { PlacedMap, WholeMap } from './whole.ts';

/** Where everything lies, computed beside the page. Undefined while it is being computed. */
export function useWhole(map: WholeMap | undefined, folder: string, most: number): PlacedMap | undefined {
  const [placed, setPlaced] = useState<PlacedMap>();
  useEffect(() => {
    if (!map) return;
    setPlaced(undefined);
    const worker = new Worker(new URL('./whole-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PlacedMap>) => {
      setPlaced(data);
      worker.terminate();
    });
    worker.postMessage({ map, folder, most });
    return () => worker.terminate();
  }, [map, folder, most]);
  return placed;
}
