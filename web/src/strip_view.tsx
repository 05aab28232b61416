// The strip of an agent's last eight hours, as a picture. Drawn again only when its bins changed.

import { memo } from './memo';
import { STRIP_BINS, STRIP_HOURS, bins, paths } from './strip';
import type { Change } from './types';

interface Props { changes: Change[] | undefined; end: number }

function View({ changes, end }: Props) {
  const from = end - STRIP_HOURS * 3600_000;
  const drawn = changes ? paths(bins(changes, from, end)) : [];
  return (
    <svg class="strip" viewBox={`0 0 ${STRIP_BINS} 1`} preserveAspectRatio="none" role="img"
      aria-label={`States of the last ${STRIP_HOURS} hours`}>
      {drawn.map(([state, d]) => <path key={state} class={`f-${state}`} d={d} />)}
    </svg>
  );
}

export const Strip = memo(View, (a: Props, b: Props) => a.changes === b.changes && a.end === b.end);
