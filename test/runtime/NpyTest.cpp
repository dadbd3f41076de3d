// Arrays in files: what is read of them, as what, and what is wrong with those that are not.
#include "runtime/data/Dataset.h"
#include "runtime/data/formats/NpyFile.h"
#include "test/runtime/ArrayFiles.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

class Arrays : public testing::Test {
protected:
  std::string file(const Bytes &bytes, const std::string &name) {
    writeTestFile(folder / name, bytes);
    return folder / name;
  }

  /// The arrays of a path as text: `name type [shape]: elements`; or the failure.
  std::string contents(const std::string &path) {
    Expected<std::vector<NpyArray>> arrays = openNpy(path);
    if (!arrays) return arrays.status().message();
    std::string text;
    for (NpyArray &array : *arrays) {
      int64_t count = array.count();
      text += array.field() + " " + dtypeName(array.dtype()) + " " + std::to_string(count);
      for (int64_t size : array.sampleShape()) {
        text += "x" + std::to_string(size);
        count *= size;
      }
      std::vector<uint8_t> bytes(size_t(count) * elementSizeBytes(array.dtype()));
      Status status = array.read(array.count(), bytes.data());
      if (status.isOk()) status = array.expectEnd();
      if (!status.isOk()) return status.message();
      text += ":";
      for (int64_t i = 0; i < count; ++i)
        text += " " + element(bytes.data(), array.dtype(), size_t(i));
      text += "\n";
    }
    return text;
  }

  template <class T> static T at(const uint8_t *bytes, size_t index) {
    T value;
    std::memcpy(&value, bytes + index * sizeof value, sizeof value);
    return value;
  }
  static std::string element(const uint8_t *bytes, DType dtype, size_t index) {
    if (dtype == DType::I64) return std::to_string(at<int64_t>(bytes, index));
    if (dtype == DType::I32) return std::to_string(at<int32_t>(bytes, index));
    if (dtype != DType::F32) return std::to_string(bytes[index]);
    char text[32];
    std::snprintf(text, sizeof text, "%g", double(at<float>(bytes, index)));
    return text;
  }

  void fails(const std::string &path, const std::string &message) {
    std::string got = contents(path);
    EXPECT_NE(got.find(message), std::string::npos) << got;
  }

  TemporaryFolder folder;
};

TEST_F(Arrays, EachTypeHasItsOwn) {
  auto value = [&](const Bytes &bytes) { return contents(file(bytes, "x.npy")); };
  EXPECT_EQ(value(npyArray<float>("<f4", "(2, 2)", {1, 2.5, -3, 4})),
            "value F32 2x2: 1 2.5 -3 4\n");
  EXPECT_EQ(value(npyArray<double>("<f8", "(2,)", {0.1, -2})), "value F32 2: 0.1 -2\n");
  EXPECT_EQ(value(npyArray<uint16_t>("<f2", "(4,)", {0x3C00, 0xC100, 1, 0x7BFF})),
            "value F32 4: 1 -2.5 5.96046e-08 65504\n");
  EXPECT_EQ(value(npyArray<int8_t>("|i1", "(1, 2)", {-7, 7})), "value I32 1x2: -7 7\n");
  EXPECT_EQ(value(npyArray<uint8_t>("|u1", "(2,)", {0, 255})), "value U8 2: 0 255\n");
  EXPECT_EQ(value(npyArray<uint8_t>("|b1", "(2,)", {0, 1})), "value BOOL 2: 0 1\n");
  EXPECT_EQ(value(npyArray<int16_t>("<i2", "(1,)", {-300})), "value I32 1: -300\n");
  EXPECT_EQ(value(npyArray<uint16_t>("<u2", "(1,)", {65535})), "value I32 1: 65535\n");
  EXPECT_EQ(value(npyArray<uint32_t>("<u4", "(1,)", {7})), "value I32 1: 7\n");
  EXPECT_EQ(value(npyArray<int64_t>("<i8", "(1,)", {int64_t(1) << 40})),
            "value I64 1: 1099511627776\n");
}

TEST_F(Arrays, AnArchiveAndAFolderHoldFields) {
  Bytes x = npyArray<float>("<f4", "(2, 1)", {1, 2}),
        label = npyArray<int64_t>("<i8", "(2,)", {1, 0});
  std::string both = "x F32 2x1: 1 2\nlabel I32 2: 1 0\n";
  for (bool isDeflated : {false, true})
    for (bool isWide : {false, true})
      EXPECT_EQ(contents(file(zipArchive({{"x.npy", x, isDeflated, isWide},
                                          {"label.npy", label, isDeflated, isWide}}),
                              "a.npz")),
                both);
  TemporaryFolder other;
  writeTestFile(other / "x.npy", x);
  writeTestFile(other / "label.npy", label);
  EXPECT_EQ(contents(other.path), "label I32 2: 1 0\nx F32 2x1: 1 2\n");
  EXPECT_EQ(contents(file(gzipBytes(x), "x.npy.gz")), "value F32 2x1: 1 2\n");
}

TEST_F(Arrays, LargeArraysAreReadInPieces) {
  std::vector<float> values(300000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i % 1000);
  Bytes bytes = npyArray<float>("<f4", "(100000, 3)", values);
  Expected<std::vector<NpyArray>> arrays =
      openNpy(file(zipArchive({{"x.npy", bytes, true}}), "a.npz"));
  ASSERT_TRUE(arrays.isOk()) << arrays.status().message();
  std::vector<float> got(values.size());
  NpyArray &array = (*arrays)[0];
  ASSERT_TRUE(array.read(70000, got.data()).isOk());
  ASSERT_TRUE(array.read(30000, got.data() + 210000).isOk());
  EXPECT_TRUE(array.expectEnd().isOk());
  EXPECT_EQ(got, values);
}

TEST_F(Arrays, ABadNumberIsNamed) {
  auto bad = [&](const Bytes &bytes, const std::string &message,
                 const std::string &name = "x.npy") { fails(file(bytes, name), message); };
  bad(npyArray<float>("<f4", "(2, 3)", {1, 2, 3, 4, NAN, 6}), "sample 1, element 1, is NaN");
  bad(npyArray<float>("<f4", "(2,)", {1, INFINITY}), "sample 1 is infinite");
  bad(npyArray<double>("<f8", "(2,)", {1, 1e300}), "beyond the range of f32");
  bad(npyArray<uint32_t>("<u4", "(1,)", {4000000000u}),
      "sample 0 is 4000000000, beyond the range of i32");
  bad(npyArray<uint8_t>("|b1", "(1,)", {2}), "neither true nor false");
  bad(zipArchive({{"label.npy", npyArray<int64_t>("<i8", "(2,)", {3, -1})}}),
      "sample 1 is -1; classes are numbered from 0 on", "a.npz");
  bad(zipArchive({{"label.npy", npyArray<int64_t>("<i8", "(1,)", {int64_t(1) << 33})}}),
      "beyond the range of i32", "a.npz");
}

TEST_F(Arrays, AFileThatIsNoneIsNamed) {
  auto bad = [&](const std::string &dictionary, const std::string &message) {
    fails(file(npyFile(dictionary, Bytes(24)), "x.npy"), message);
  };
  std::string rest = "', 'fortran_order': False, 'shape': (3,), }";
  bad("{'descr': '>f8" + rest, "newbyteorder");
  bad("{'descr': '<u8" + rest, "save them as i64");
  bad("{'descr': '<c8" + rest, "complex");
  bad("{'descr': '|O" + rest, "objects of Python");
  bad("{'descr': '<U2" + rest, "strings cannot be read");
  bad("{'descr': [('a', '<f4'), ('b', '<f4')], 'fortran_order': False, 'shape': (3,)}",
      "records of several parts");
  bad("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", "Fortran");
  bad("{'descr': '<f8', 'fortran_order': False, 'shape': (4,)}", "is cut off");
  bad("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "more than its header says");
  bad("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3)}", "holds nothing");
  bad("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", "has 0 axes");
  bad("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 99)}",
      "cannot be as large");
  bad("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}", "is damaged");
  bad("{'descr': '<f8', 'shape': (3,)}", "is damaged: its header is");
  fails(file({'P', 'K'}, "a.npz"), "is not a zip archive");
  fails(file(Bytes(100, 7), "x.npy"), "is not a .npy file");
  fails(folder / "none.npz", "none.npz");
}

TEST_F(Arrays, ADamagedArchiveIsNamed) {
  Bytes x = npyArray<float>("<f4", "(2, 1)", {1, 2});
  Bytes archive = zipArchive({{"x.npy", x}});
  for (size_t size = 0; size < archive.size(); ++size)
    fails(file({archive.begin(), archive.begin() + long(size)}, "a.npz"), "a.npz");
  archive[30 + 5 + x.size() - 1] ^= 1; // the last number
  fails(file(archive, "a.npz"), "its checksum is wrong");
  fails(file(zipArchive({{"readme.txt", x}}), "a.npz"), "`readme.txt` in");
  fails(file(zipArchive({{"x.npy", x}, {"x.npy", x}}), "a.npz"), "two arrays called `x`");
  fails(file(zipArchive({{"x.npy", x}, {"y.npy", npyArray<float>("<f4", "(3,)", {1, 2, 3})}}),
             "a.npz"),
        "holds 3 samples");
  fails(file(zipArchive({}), "a.npz"), "holds no arrays");
}

DataSpec specOf(const std::string &path) {
  DataSpec spec;
  spec.name = "sounds";
  spec.kind = "npy";
  spec.path = path;
  spec.fields = {{"label", DType::I32, {}}, {"x", DType::F32, {2}}};
  spec.counts[0] = 2;
  spec.counts[1] = 1;
  spec.classes = 2;
  return spec;
}

TEST_F(Arrays, ASourceCutsItsParts) {
  Bytes x = npyArray<float>("<f4", "(3, 2)", {1, 2, 3, 4, 5, 6});
  Bytes label = npyArray<uint8_t>("|u1", "(3,)", {0, 1, 0});
  DataSpec spec = specOf(file(zipArchive({{"x.npy", x}, {"label.npy", label}}), "a.npz"));
  auto source = openDataSource(spec);
  ASSERT_TRUE(source.isOk());
  for (Split split : {Split::Train, Split::Validation}) {
    auto dataset = (*source)->get(split);
    ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
    int64_t first = split == Split::Train ? 0 : 2;
    for (int64_t i = 0; i < (*dataset)->size(); ++i) {
      int32_t label = 0;
      float x[2] = {};
      void *places[] = {&label, x};
      ASSERT_TRUE((*dataset)->read(i, places).isOk());
      EXPECT_EQ(label, (first + i) % 2);
      EXPECT_EQ(x[1], float(2 * (first + i) + 2));
    }
  }
  auto failure = [](const DataSpec &wrong) {
    auto opened = openDataSource(wrong);
    return (*opened)->get(Split::Train).status().message();
  };
  DataSpec wrong = spec;
  wrong.counts[0] = 5;
  EXPECT_NE(failure(wrong).find("was compiled for 6"), std::string::npos);
  wrong = spec;
  wrong.classes = 1;
  EXPECT_NE(failure(wrong).find("sample 1 is 1, and the training samples have 1 classes"),
            std::string::npos);
  wrong = spec;
  wrong.fields[1].shape = {3};
  EXPECT_NE(failure(wrong).find("was compiled for F32[3]"), std::string::npos);
  wrong = spec;
  wrong.fields[1].name = "y";
  EXPECT_NE(failure(wrong).find("has no array `y`"), std::string::npos);
}

} // namespace
