/** The notes of a chart over time, and what a point of it leads to: its days alone, a filter, a new note. */
import { useMemo, useState } from 'react';
import { useAnnotations } from '../api/annotations';
import { bucketRange, usePeriod, type Granularity, type Period } from '../period';
import { useFormats, useMay, useProject } from '../session';
import { notes as text } from '../texts/notes';
import type { PointAction } from './chart/Drawing';
import { placeNotes } from './chart/notes';
import type { Noted } from './Notes';

export function useChartNotes(period: Period, granularity: Granularity, buckets: readonly string[]) {
  const formats = useFormats();
  const mayWrite = useMay('boards');
  const [, setPeriod] = usePeriod();
  const { from, to } = period;
  const notes = useAnnotations(useProject().id, { from, to });
  const placed = useMemo(() => placeNotes(notes, buckets, granularity), [notes, buckets, granularity]);
  const [noted, onNote] = useState<Noted>();
  const actions = (at: number): PointAction[] => {
    const bucket = buckets[at];
    if (bucket === undefined || bucket === '') return [];
    const days = bucketRange(bucket, granularity, { from, to });
    const isNarrower = days.from !== from || days.to !== to;
    return [
      ...(isNarrower
        ? [
            {
              label: text.open(formats.range(days.from, days.to)),
              run: () => setPeriod({ from: days.from, to: days.to }),
            },
          ]
        : []),
      ...(mayWrite
        ? [{ label: text.addOn(formats.shortDay(days.from)), run: () => onNote({ day: days.from, text: '' }) }]
        : []),
    ];
  };
  return { placed, actions, list: { notes, day: to, noted, onNote } };
}
