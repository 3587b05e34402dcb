/** Every touch that was considered, drawn to scale: when it was, in which time it counted, and what became of it. */
import { SegmentedControl, Text } from '@mantine/core';
import { Panel } from '../../components/Panel';
import { EmptyState } from '../../components/EmptyState';
import { useView } from '../../search';
import { useFormats } from '../../session';
import type { Candidate, Explanation } from './questions';
import { installSearch } from './search';
import { timeScale, type TimeScale } from './time-scale';
import classes from './Timeline.module.css';
import { ago } from './words';
import { install as text } from '../../texts/install';
import { texts } from '../../texts';

type Outcome = 'credited' | 'eligible' | 'out';
const BEATEN = ['lower_rule', 'older_than_winner'];
const readOutcome = ({ verdict }: Candidate): Outcome =>
  verdict === 'credited' ? 'credited' : BEATEN.includes(verdict) ? 'eligible' : 'out';

export function Timeline({ candidates, limits }: Pick<Explanation, 'candidates' | 'limits'>) {
  const [{ scale: name }, setView] = useView(installSearch);
  if (candidates.length === 0)
    return (
      <Panel title={text.timeline}>
        <EmptyState title={text.timelineEmpty} />
      </Panel>
    );
  const scale = timeScale(
    name,
    candidates.flatMap((one) => [one.seconds_to_install, one.window_seconds]),
  );
  return (
    <Panel
      title={text.timeline}
      about={text.timelineAbout}
      tools={
        <SegmentedControl
          size="xs"
          aria-label={text.scale}
          value={name}
          data={[
            { value: 'log', label: text.log },
            { value: 'linear', label: text.linear },
          ]}
          onChange={(scale) => setView({ scale }, { replace: true })}
        />
      }
    >
      <Legend />
      <Axis scale={scale} />
      <ol className={classes.lanes}>
        {candidates.map((one) => (
          <Lane key={`${one.touch_id} ${one.rule}`} candidate={one} scale={scale} />
        ))}
      </ol>
      {candidates.length >= limits.candidates_shown && (
        <Text size="xs" c="dimmed">
          {text.limited(limits.candidates_shown)}
        </Text>
      )}
    </Panel>
  );
}

const Legend = () => (
  <ul className={classes.legend}>
    {(['credited', 'eligible', 'out'] as const).map((outcome) => (
      <li key={outcome}>
        <span className={classes.mark} data-outcome={outcome} />
        {text.legend[outcome]}
      </li>
    ))}
    <li>
      <span className={classes.swatch} />
      {text.legend.window}
    </li>
  </ul>
);

/** Times before the install; every lane says its own in words, so that it is for the eye alone. */
const Axis = ({ scale }: { scale: TimeScale }) => (
  <div className={classes.axisRow} aria-hidden>
    <div className={classes.axis}>
      {scale.ticks.map(({ at, label }) => (
        <span key={at} style={{ left: `${at}%` }} data-end={label === '' || undefined}>
          {label || texts.titles.install}
        </span>
      ))}
    </div>
  </div>
);

function Lane({ candidate, scale }: { candidate: Candidate; scale: TimeScale }) {
  const formats = useFormats();
  const { seconds_to_install: seconds, window_seconds: window } = candidate;
  const outcome = readOutcome(candidate);
  const who = candidate.partner ?? candidate.ad_network;
  const end = scale.at(0);
  const start = scale.at(window);
  const at = scale.at(seconds);
  return (
    <li className={classes.lane} data-outcome={outcome}>
      <div className={classes.touch}>
        <Text span size="sm" fw={600} display="block" truncate>
          {candidate.campaign_name || candidate.campaign_display_id || text.noCampaign}
        </Text>
        <Text span size="xs" c="dimmed" display="block" truncate>
          {[text.touches[candidate.touch_type] ?? candidate.touch_type, who].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div className={classes.track} aria-hidden>
        {scale.ticks.map((tick) => (
          <span key={tick.at} className={classes.tick} style={{ left: `${tick.at}%` }} />
        ))}
        {window > 0 && <span className={classes.window} style={{ left: `${start}%`, width: `${end - start}%` }} />}
        <span className={classes.reach} style={{ left: `${Math.min(at, end)}%`, width: `${Math.abs(end - at)}%` }} />
        <span className={classes.install} style={{ left: `${end}%` }} />
        <span className={classes.mark} data-outcome={outcome} style={{ left: `${at}%` }} />
      </div>
      <div className={classes.verdict}>
        <Text span size="sm" fw={600} display="block">
          {text.verdicts[candidate.verdict] ?? candidate.verdict}
        </Text>
        <Text span size="xs" c="dimmed" display="block">
          {candidate.why}
        </Text>
        <Text span size="xs" c="dimmed" display="block" title={formats.time(candidate.touch_time)}>
          {seconds < 0 ? text.after(ago(seconds)) : text.before(ago(seconds))}
          {', '}
          {window > 0 ? text.window(ago(window)) : text.windowOff}
        </Text>
      </div>
    </li>
  );
}
