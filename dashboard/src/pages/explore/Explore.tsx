/** Any figures by anything: a question, its chart and its table, all of it in the URL. */
import { SegmentedControl } from '@mantine/core';
import { useReport } from '../../api/queries';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { explore as text } from '../../texts/explore';
import { Builder } from './Builder';
import { ExploreChart } from './ExploreChart';
import { ExploreTable } from './ExploreTable';
import { chooseLines, readDimensions, tableQuestion } from './questions';
import { Saved } from './Saved';
import { exploreSearch } from './search';

/** What belongs to a source; another one begins anew. */
const OF_SOURCE = { metrics: undefined, by: undefined, filters: undefined, sort: undefined, right: undefined };

export default function Explore() {
  const [view, setView] = useView(exploreSearch);
  const [period] = usePeriod();
  const { id } = useProject();
  const question = tableQuestion(view, period);
  const answer = useReport(id, question);
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.explore} about={text.about}>
        <SegmentedControl
          size="xs"
          value={view.source}
          data={[
            { value: 'app', label: texts.overview.app },
            { value: 'web', label: texts.titles.web },
          ]}
          onChange={(source) => setView({ ...OF_SOURCE, source, metric: undefined })}
        />
        <PeriodPicker />
        <Saved
          view={view}
          period={period}
          lines={chooseLines(view, answer.isPlaceholderData ? undefined : answer.data?.results)}
          onOpen={setView}
        />
        <ViewTools question={question} name={texts.titles.explore} />
      </PageHeader>
      <Builder view={view} onChange={setView} />
      {answer.error ? (
        <ErrorBox error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <>
          <ExploreChart view={view} period={period} answer={answer} onChange={setView} />
          <ExploreTable view={view} period={period} question={question} answer={answer} onChange={setView} />
        </>
      )}
      {readDimensions(view).includes('country') && <CountrySource />}
    </PageBody>
  );
}
