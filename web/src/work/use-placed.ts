import { useEffect, useState } from 'react';
import type { Places, WorkGraph } from './dag-layout.ts';

export interface PlacedWork {
  graph: WorkGraph;
  places: Places;
}

/** The latest work whose places are known; they are computed beside the page. */
export function usePlaced(graph: WorkGraph): PlacedWork | undefined {
  const [placed, setPlaced] = useState<PlacedWork>();
  useEffect(() => {
    const worker = new Worker(new URL('./dag-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Places>) => {
      setPlaced({ graph, places: data });
      worker.terminate();
    });
    worker.postMessage(graph);
    return () => worker.terminate();
  }, [graph]);
  return placed;
}
