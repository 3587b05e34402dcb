/** What can be done with a view: copy its link, copy the API call behind it, download it as CSV or PNG. */
import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconLink, IconPhoto, IconShare2, IconTerminal2 } from '@tabler/icons-react';
import { texts } from '../texts';
import { drawImage, useChartImages, type ChartImage } from './chart/image';
import { useLook } from './chart/look';
import { download, saveRows, type CsvRow } from './files';

const text = texts.tools;

const fileName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-');

interface Props {
  /** What files are called. */
  readonly name: string;
  /** Below the titles of images: whose figures they are, and of which days. */
  readonly about?: string | undefined;
  /** The call behind the view, as somebody with a key of the project makes it. */
  readonly call?: string;
  /** What the CSV has: the rows that the view shows, or a function that saves it under a name. */
  readonly csv?: readonly CsvRow[] | ((file: string) => void);
  /** Other kinds of files of the same. */
  readonly files?: readonly { readonly format: string; readonly save: (file: string) => void }[];
  readonly isSaving?: boolean;
  /** The address that opens the view, where it is not that of the page as it stands. */
  readonly link?: () => string;
}

export function ShareMenu(props: Props) {
  const { name, about = name, call, csv, files = [], isSaving = false, link = () => window.location.href } = props;
  const { copy } = useClipboard();
  const file = fileName(name);
  const copied = (value: string) => {
    copy(value);
    notifications.show({ message: texts.copied, autoClose: 2000 });
  };
  const save = () => {
    const csvName = `${file}.csv`;
    if (typeof csv === 'function') csv(csvName);
    else void saveRows(csvName, csv ?? []);
  };
  const hasCsv = typeof csv === 'function' || (csv !== undefined && csv.length > 0);
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          aria-label={text.more}
          loading={isSaving}
          leftSection={<IconShare2 size={15} />}
        >
          {text.share}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={16} />} onClick={() => copied(link())}>
          {text.copyLink}
        </Menu.Item>
        {call && (
          <Menu.Item leftSection={<IconTerminal2 size={16} />} onClick={() => copied(call)}>
            {text.copyCurl}
          </Menu.Item>
        )}
        {hasCsv && (
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={save}>
            {text.csv}
          </Menu.Item>
        )}
        {files.map((one) => (
          <Menu.Item
            key={one.format}
            leftSection={<IconDownload size={16} />}
            onClick={() => one.save(`${file}.${one.format}`)}
          >
            {text.file(one.format)}
          </Menu.Item>
        ))}
        <Images name={name} about={about} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The charts of the page, each as an image that explains itself. */
function Images({ name, about }: Required<Pick<Props, 'name' | 'about'>>) {
  const images = useChartImages();
  const look = useLook();
  const isOne = images.length === 1;
  const save = async (chart: ChartImage) =>
    download(`${fileName(isOne ? name : `${name} ${chart.title}`)}.png`, await drawImage(chart, about, look));
  return images.map((chart) => (
    <Menu.Item key={chart.title} leftSection={<IconPhoto size={16} />} onClick={() => void save(chart)}>
      {isOne ? text.png : `${text.png}: ${chart.title}`}
    </Menu.Item>
  ));
}
